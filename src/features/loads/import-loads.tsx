import { Link } from 'wouter'
import { counted } from '#machines/rules/figures.ts'
import { type LoadListResult, useLoadList } from '../../actors/load-list-file.ts'
import { formatCount } from '../../format/numbers.ts'
import { ChooseList, ImportPage, ImportPanel, ImportRemarks } from '../../layout/import-page.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'

type Sent = ReturnType<typeof useLoadList>

/** `/loads/import`: many loads opened and closed by a list; nothing is done while a line is wrong, unless one says so. */
export default function ImportLoads() {
  const list = useLoadList()
  const { result, isSending, begin } = list
  return (
    <ImportPage
      title="Import Loads"
      description="Where a line is wrong, nothing is done before you have seen it."
      onTemplate={list.saveTemplate}
    >
      <ImportPanel error={list.error}>
        {result === undefined ? (
          <ChooseList of="loads" kinds={['.csv']} isSending={isSending} onChoose={begin}>
            or drop one here: CSV, at most 10,000 lines. The first line names the columns: IMEI and Reference,
            and if you like Profile (by its name; the device’s where left empty), Since (2026-11-25T08:00:00Z;
            now where left empty) and Close (yes where the load is off its device now, else left empty). What
            is so already stays as it is: keep one sheet, and send it again.
          </ChooseList>
        ) : (
          <Came {...list} result={result} />
        )}
      </ImportPanel>
      {result !== undefined && (
        <ImportRemarks title="Lines that cannot be taken" remarks={result.faults} total={result.faulty} />
      )}
    </ImportPage>
  )
}

function Came({ file, result, again, takeGoodLines, isSending }: Sent & { result: LoadListResult }) {
  const good = result.lines - result.faulty
  return (
    <div className="flex flex-col gap-4">
      <h2 className="truncate font-semibold" title={file?.name}>
        {file?.name}
      </h2>
      <p role="status">{wordsOf(result)}</p>
      <div className="flex flex-wrap gap-2">
        <Button onPress={again} isDisabled={isSending}>
          Choose another file
        </Button>
        {result.isHeld && good > 0 && (
          <Button kind="primary" onPress={takeGoodLines} isPending={isSending} isDisabled={isSending}>
            {`Take the ${formatCount(good)} good ${good === 1 ? 'one' : 'ones'} only`}
          </Button>
        )}
        {!result.isHeld && (
          <Link href="/loads?sort=opened" className={buttonLook('primary')}>
            Show loads
          </Link>
        )}
      </div>
    </div>
  )
}

/** «2 loads opened, 1 closed, 3 lines were so already.» */
function wordsOf({ isHeld, opened, closed, already, lines, faulty }: LoadListResult): string {
  if (isHeld)
    return `${counted(lines, 'line')} read, ${formatCount(faulty)} of them cannot be taken: nothing was done yet.`
  const parts = [
    (opened > 0 || closed === 0) && `${counted(opened, 'load')} opened`,
    closed > 0 && `${opened > 0 ? formatCount(closed) : counted(closed, 'load')} closed`,
    already > 0 && `${counted(already, 'line')} ${already === 1 ? 'was' : 'were'} so already`,
    faulty > 0 && `${counted(faulty, 'line')} not taken`,
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}
