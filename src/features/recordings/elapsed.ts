/** Minutes, seconds and tenths since the recording was started: `12:04.3`. `t`: ms. */
export function elapsed(t: number): string {
  const tenths = Math.floor(t / 100)
  const seconds = Math.floor(tenths / 10)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}.${tenths % 10}`
}
