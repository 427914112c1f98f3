const MARKS = /(?<=^<!-- measured -->\n)[\s\S]*?(?=\n<!-- \/measured -->$)/m

/**
 * The page of benchmarks with what a run found between its marks; all else in it is written by hand and stays.
 * @throws Error where the page has no marks
 */
export function withMeasured(page: string, measured: string): string {
  if (!MARKS.test(page))
    throw new Error('the page has no marks to write between: <!-- measured --> … <!-- /measured -->')
  return page.replace(MARKS, () => measured)
}
