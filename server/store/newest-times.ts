/** The newest archived `at` of each device, or a later time: what is newer cannot be archived yet. */
export class NewestTimes {
  private times = new Float64Array(0)

  /** -1 for none */
  of(device: number): number {
    return this.times[device] ?? -1
  }

  raise(device: number, at: number): void {
    if (device >= this.times.length) {
      const larger = new Float64Array(Math.max(1024, this.times.length * 2, device + 1)).fill(-1)
      larger.set(this.times)
      this.times = larger
    }
    if (at > (this.times[device] as number)) this.times[device] = at
  }

  /** all of them, by device number */
  copy(): Float64Array<ArrayBuffer> {
    return this.times.slice()
  }

  /** Takes over what `copy` answered. */
  restore(times: Float64Array<ArrayBuffer>): void {
    this.times = times
  }
}
