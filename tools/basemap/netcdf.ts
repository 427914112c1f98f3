import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Reads whole-number variables of a netCDF file through `ncdump` (Debian package `netcdf-bin`): netCDF-4 is HDF5, and its
 * text form is far less code than a reader for it.
 *
 * @param file path of the `.nc` file
 * @param names variables to read; all must hold integers
 * @throws when `ncdump` is missing or a variable is not in the file
 */
export async function readIntegers<Name extends string>(
  file: string,
  names: readonly Name[],
): Promise<Record<Name, Int32Array>> {
  const { stdout } = await run('ncdump', ['-v', names.join(','), file], { maxBuffer: 512 * 1024 * 1024 })
  const data = stdout.slice(stdout.indexOf('\ndata:'))
  const read = {} as Record<Name, Int32Array>
  for (const name of names) read[name] = parseVariable(data, name)
  return read
}

function parseVariable(data: string, name: string): Int32Array {
  const marker = `\n ${name} = `
  const start = data.indexOf(marker)
  if (start < 0) throw new Error(`no variable ${name} in the netCDF file`)
  const end = data.indexOf(';', start)
  return Int32Array.from(data.slice(start + marker.length, end).split(','), Number)
}
