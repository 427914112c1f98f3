import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers 503 by itself, where there is no app yet: a page for a browser that wants one, JSON for everybody else. */
export function sendNotYet({ headers, method }: IncomingMessage, response: ServerResponse): void {
  const isPage = method === 'GET' && headers.accept?.includes('text/html')
  const body = isPage ? STARTING_PAGE : JSON.stringify({ code: 503, message: 'Frostline is starting' })
  response
    .writeHead(503, {
      'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      ...STARTING_HEADERS,
    })
    .end(body)
}

/** Colours are those of src/styles/tokens.css. */
const STYLE = `
:root { color-scheme: light dark }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center;
  font: 14px/20px Inter, system-ui, sans-serif;
  background: light-dark(oklch(0.961 0.006 240), oklch(0.165 0.014 248));
  color: light-dark(oklch(0.43 0.022 248), oklch(0.79 0.012 242));
}
main {
  box-sizing: border-box; width: min(400px, calc(100vw - 32px)); padding: 32px; border-radius: 8px;
  background: light-dark(oklch(0.995 0.002 240), oklch(0.212 0.016 248));
}
h1 {
  margin: 0 0 8px; font-size: 20px; line-height: 28px; font-weight: 600;
  color: light-dark(oklch(0.235 0.022 250), oklch(0.955 0.006 240));
}
p { margin: 0 }
hr {
  height: 2px; margin: 24px 0 0; border: 0; border-radius: 2px; transform-origin: left;
  background: light-dark(oklch(0.51 0.105 228), oklch(0.8 0.1 216)); animation: wait 1s linear;
}
@keyframes wait { from { transform: scaleX(0) } }
@media (prefers-reduced-motion: reduce) { hr { animation: none } }
`

/** The page has one style and nothing else. */
export const STARTING_HEADERS = {
  'retry-after': '1',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'`,
}

/**
 * What a visitor sees while the server opens its record, or the portal is built for the first time. It comes again by
 * itself, without a script.
 */
export const STARTING_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="1">
<title>Frostline is starting</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Frostline is starting</h1>
<p>The first start takes some seconds longer. This page opens the portal by itself.</p>
<hr>
</main>
</body>
</html>
`
