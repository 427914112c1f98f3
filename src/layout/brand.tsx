/** The mark: a flake of six arms, one of which is a rising line. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M12 2.5v19M3.8 7.25l16.4 9.5M3.8 16.75l16.4-9.5" />
      <path d="m9.3 4.7 2.7 2.2 2.7-2.2M9.3 19.3l2.7-2.2 2.7 2.2" />
    </svg>
  )
}
