import { useLayoutEffect, useRef, useState } from 'react'
import { useMap } from 'react-map-gl/maplibre'
import { usePrinting } from '../ui/use-printing.ts'
import { currentTheme } from '../ui/use-theme.ts'

/** The map around it as it stands on screen, with a mark at a place, as a picture for the paper: what WebGL drew no browser prints. */
export function PrintedMap({ lng, lat }: { lng: number; lat: number }) {
  const { current } = useMap()
  const isPrinting = usePrinting()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [sources, setSources] = useState('')
  useLayoutEffect(() => {
    const map = current?.getMap()
    const paper = canvas.current
    const pen = paper?.getContext('2d')
    if (!isPrinting || map === undefined || !paper || !pen) return
    // what it drew is there to be copied until the browser has shown it
    map.redraw()
    const drawn = map.getCanvas()
    paper.width = drawn.width
    paper.height = drawn.height
    paper.style.width = `${drawn.clientWidth}px`
    // ink on white whatever the theme
    if (currentTheme() === 'dark') pen.filter = 'invert(1) hue-rotate(180deg)'
    pen.drawImage(drawn, 0, 0)
    pen.filter = 'none'
    const scale = drawn.width / drawn.clientWidth
    const { x, y } = map.project([lng, lat])
    pen.beginPath()
    pen.arc(x * scale, y * scale, 7 * scale, 0, 2 * Math.PI)
    pen.fillStyle = 'black'
    pen.fill()
    pen.lineWidth = 2 * scale
    pen.strokeStyle = 'white'
    pen.stroke()
    setSources(map.getContainer().querySelector('.maplibregl-ctrl-attrib-inner')?.textContent ?? '')
  }, [current, isPrinting, lng, lat])
  if (!isPrinting) return null
  return (
    <figure className="printed-map">
      <canvas ref={canvas} className="max-w-full" />
      <figcaption className="text-dense text-ink-soft">{sources}</figcaption>
    </figure>
  )
}
