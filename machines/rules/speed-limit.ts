/** km/h: the speeds a report of over-speeding may ask about, and the one it asks about by default. */
export const SPEED = { min: 1, max: 200, standard: 80 } as const

export const WRONG_SPEED = `Enter a whole speed of ${SPEED.min} to ${SPEED.max} km/h`

/** Whole km/h, within `SPEED`. */
export const isSpeedLimit = (speed: number): boolean =>
  Number.isInteger(speed) && speed >= SPEED.min && speed <= SPEED.max

/** A typed speed brought to a whole number within its bounds; the standard one where nothing was typed. */
export const clampedSpeed = (speed: number): number =>
  Number.isNaN(speed) ? SPEED.standard : Math.min(SPEED.max, Math.max(SPEED.min, Math.round(speed)))
