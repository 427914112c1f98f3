/** Heat of activation over the gas constant, K: 83.144 kJ/mol and 8.3144 J/(mol K), as USP <1079.2> sets them. */
const ACTIVATION_K = 83.144 / 8.3144e-3
const ZERO_CELSIUS_K = 273.15

/**
 * How fast what is kept at a temperature (°C) spoils, up to a constant: e^(−ΔH/RT), after Arrhenius. Means of it, each
 * weighed by the time it stands for, are what `meanKinetic` takes.
 */
export const kineticTerm = (celsius: number): number => Math.exp(-ACTIVATION_K / (celsius + ZERO_CELSIUS_K))

/**
 * Mean kinetic temperature, °C: the one steady temperature at which as much would have spoiled. USP <1079.2>, after
 * J. D. Haynes, J. Pharm. Sci. 60 (1971) 927: T = (ΔH/R) / −ln(Σ tᵢ e^(−ΔH/RTᵢ) / Σ tᵢ).
 * @param meanTerm the mean of `kineticTerm`; 0: nothing was measured
 * @returns NaN where nothing was measured
 */
export const meanKinetic = (meanTerm: number): number =>
  meanTerm > 0 ? ACTIVATION_K / -Math.log(meanTerm) - ZERO_CELSIUS_K : Number.NaN
