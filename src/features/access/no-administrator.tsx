/** On a server that was just set up: nobody can sign in yet, and only its own machine can change that. */
export default function NoAdministrator() {
  return (
    <p role="note" className="mt-6 rounded-panel bg-ground px-5 py-4 text-dense text-ink-soft">
      <strong className="font-semibold text-ink">This server has no administrator yet.</strong> Whoever runs
      it makes the first one on its machine; the page on operations says how.
    </p>
  )
}
