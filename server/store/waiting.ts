/** Who waits until all up to a number of the record is there. */
export class Waiting {
  private waiting: { seq: number; resolve: () => void; reject: (error: unknown) => void }[] = []

  for(seq: number): Promise<void> {
    return new Promise((resolve, reject) => this.waiting.push({ seq, resolve, reject }))
  }

  reached(through: number): void {
    if (this.waiting.length === 0) return
    const reached = this.waiting.filter(({ seq }) => seq <= through)
    this.waiting = this.waiting.filter(({ seq }) => seq > through)
    for (const { resolve } of reached) resolve()
  }

  failed(error: unknown): void {
    for (const { reject } of this.waiting) reject(error)
    this.waiting = []
  }
}
