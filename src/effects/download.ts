/** Hands the visitor a file. `name` with its ending: `temperature-chart.png`. */
export function download(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken the address by the next task; kept, it would hold the file in memory.
  setTimeout(() => URL.revokeObjectURL(url))
}

/** Fetches a file the server hands out as one; the page stays. */
export function fetchFile(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
