import { spawn } from 'node:child_process'

/** Vite with hot reload in front, the backend behind it restarting on change; where one ends, both do. */
const children = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
    stdio: 'inherit',
  }),
  spawn(process.execPath, ['node_modules/vite/bin/vite.js'], { stdio: 'inherit' }),
]

function stop(): void {
  for (const child of children) child.kill('SIGTERM')
}

for (const child of children) {
  child.on('exit', (code) => {
    process.exitCode ||= code ?? 0
    stop()
  })
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
