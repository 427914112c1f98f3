/**
 * Whether the last digit of an IMEI is the check digit of the others (Luhn; 3GPP TS 23.003, annex B). An IMEI has 15 digits;
 * what is shorter or longer has none.
 */
export function hasCheckDigit(imei: string): boolean {
  if (!/^\d{15}$/.test(imei)) return false
  let sum = 0
  for (let i = 0; i < imei.length; i++) {
    const digit = Number(imei[i])
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
