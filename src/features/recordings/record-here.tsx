import { Circle } from 'lucide-react'
import { startRecording } from '../../actors/recording.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot, useSession } from '../../actors/use-root.ts'
import { Button } from '../../ui/button.tsx'

/** Starts to record this window. What tells that it is being recorded, and ends it, is on every page. */
export function RecordHere() {
  const root = useRoot()
  const isRecording = useStore(root.recorder) !== undefined
  const isSignedIn = useSession() !== null
  const start = async () => {
    await startRecording(root)
    root.goTo(isSignedIn ? '/' : '/login')
  }
  return (
    <section
      aria-labelledby="record-here"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-panel bg-surface p-4 shadow-soft"
    >
      <div className="min-w-0 flex-1 basis-80">
        <h2 id="record-here" className="font-semibold text-body">
          Record this window
        </h2>
        <p className="text-ink-soft">
          What its state machines do, what goes over both sockets, and which pages are open, from{' '}
          {isSignedIn ? 'the dashboard' : 'signing in'} on. Passwords, tokens and codes are left out. A file
          that is put into fixtures/recordings is a test: npm test plays it.
        </p>
      </div>
      <Button isDisabled={isRecording} onPress={() => void start()}>
        <Circle size={14} aria-hidden className="fill-error text-error" />
        {isRecording ? 'Recording' : 'Start Recording'}
      </Button>
    </section>
  )
}
