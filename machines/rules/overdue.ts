/** A value is overdue when the last one is so many times as old as the last two were apart: other readings may come between. */
export const OVERDUE = 2.5

/**
 * Whether a sensor should have given its next value by now.
 * @param age how old its last value is, ms
 * @param apart how far its last two values were apart, ms; Infinity where there was one
 * @param gap a value that is so old, ms, is overdue however rarely it gave any
 */
export const isOverdue = (age: number, apart: number, gap: number): boolean =>
  age > 0 && age >= Math.min(apart * OVERDUE, gap)
