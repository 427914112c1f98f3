/** Characters of a value that are shown. */
const SHOWN = 4000

/** A value of a recording as it stands in the file. */
export function WrittenValue({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2) ?? 'nothing'
  return (
    <pre className="overflow-x-auto whitespace-pre-wrap break-words rounded-small bg-sunken px-3 py-2 text-dense">
      {text.length > SHOWN ? `${text.slice(0, SHOWN)}\n…` : text}
    </pre>
  )
}
