import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'

const SCALE = 2
const CAPTION_HEIGHT = 44

/**
 * A figure as PNG, twice its size on screen, on the ground it stands on, in the colours of the moment, under a line that
 * says what it is.
 * @throws Error when the browser cannot draw it
 */
export async function chartImage(figure: SVGSVGElement, caption: string): Promise<Blob> {
  const { width, height } = figure.getBoundingClientRect()
  const copy = await standalone(figure, width, height)
  const url = URL.createObjectURL(new Blob([copy], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.ceil(width * SCALE)
    canvas.height = Math.ceil((CAPTION_HEIGHT + height) * SCALE)
    const pen = canvas.getContext('2d')
    if (pen === null) throw new Error('This browser cannot draw images')
    pen.fillStyle = groundOf(figure)
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.scale(SCALE, SCALE)
    const { color, fontFamily } = getComputedStyle(figure)
    pen.fillStyle = color
    pen.font = `600 14px ${fontFamily}`
    pen.fillText(caption, 12, 28, width - 24)
    pen.drawImage(image, 0, CAPTION_HEIGHT, width, height)
    return await new Promise<Blob>((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('The image could not be made'))),
        'image/png',
      ),
    )
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** What the page's style sheet says of the figure, written into a copy of it: an image knows no page. */
async function standalone(figure: SVGSVGElement, width: number, height: number): Promise<string> {
  const copy = figure.cloneNode(true) as SVGSVGElement
  const originals = [figure, ...figure.querySelectorAll<SVGElement>('*')]
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')]
  for (const [i, original] of originals.entries()) {
    const style = getComputedStyle(original)
    const target = copies[i] as SVGElement
    for (const property of INLINED) {
      const value = style.getPropertyValue(property)
      if (value !== '')
        target.style.setProperty(
          property,
          property === 'stroke' || property === 'fill' ? local(value) : value,
        )
    }
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', `${width}`)
  copy.setAttribute('height', `${height}`)
  const font = document.createElementNS('http://www.w3.org/2000/svg', 'style')
  font.textContent = `@font-face{font-family:'Inter Variable';font-weight:100 900;src:url(${await fontData()}) format('woff2')}`
  copy.prepend(font)
  return new XMLSerializer().serializeToString(copy)
}

const INLINED = [
  'fill',
  'stroke',
  'stop-color',
  'color',
  'font-family',
  'font-size',
  'font-weight',
  'font-variant-numeric',
]

/** A reference to a gradient or pattern is resolved against the page's address; in the copy it is its own. */
const local = (value: string): string => value.replace(/url\("[^"#]*#/, 'url("#')

function groundOf(element: Element | null): string {
  for (let at = element; at !== null; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at)
    if (!/^(transparent|rgba\(0, 0, 0, 0\))$/.test(backgroundColor)) return backgroundColor
  }
  return 'white'
}

let font: Promise<string> | undefined

function fontData(): Promise<string> {
  font ??= fetch(interUrl)
    .then((answer) => answer.blob())
    .then(
      (blob) =>
        new Promise<string>((resolve, reject) => {
          const reader = new FileReader()
          reader.onload = () => resolve(String(reader.result))
          reader.onerror = () => reject(new Error('The font could not be read'))
          reader.readAsDataURL(blob)
        }),
    )
  return font
}
