/** What a seal shows, and what it does not. */
export function AboutVerifying() {
  return (
    <div className="grid gap-4 tablet:grid-cols-2">
      <section className="rounded-panel bg-surface p-4 shadow-soft">
        <h2 className="pb-1 font-semibold">What this proves</h2>
        <p className="text-ink-soft">
          That the file is, byte for byte, what a Frostline server made; that it stands in that server's
          record at the place its seal says; and that neither was changed since the record was signed. Whoever
          changed the record later would need the key, and every head of it that was mailed since.
        </p>
      </section>
      <section className="rounded-panel bg-surface p-4 shadow-soft">
        <h2 className="pb-1 font-semibold">What it does not</h2>
        <p className="text-ink-soft">
          That a sensor measured rightly, that it hung where it should, or that what was sent to the server
          was true. A later version made after this seal was handed out is known here only if its seal lies
          beside it.
        </p>
      </section>
    </div>
  )
}
