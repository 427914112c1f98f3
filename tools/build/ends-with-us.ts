import { spawn } from 'node:child_process'

/**
 * Waits in a session of its own for the end of its input, which comes with the end of whoever started us, `kill -9`
 * included: then it ends the process, and deletes the folder.
 */
const WATCHER = `
read -r word && exit 0
kill -"$2" "$1" 2>/dev/null
tries=0
while kill -0 "$1" 2>/dev/null && [ "$tries" -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -KILL "$1" 2>/dev/null
[ -z "$3" ] || rm -rf -- "$3"
`

/**
 * Has a process end when we do, however we end, and nothing of it stays.
 * @param signal what it is ended by; by force after ten seconds
 * @param folder deleted when it is gone
 * @returns to be called when it has ended before us
 */
export function endsWithUs(pid: number, signal: NodeJS.Signals, folder = ''): () => void {
  const words = ['-c', WATCHER, 'watcher', `${pid}`, signal.slice(3), folder]
  const watcher = spawn('sh', words, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  watcher.unref()
  watcher.stdin.on('error', () => {})
  return () => watcher.stdin.end('done\n')
}
