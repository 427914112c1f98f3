import postgres from 'postgres'
import { CannotStart } from './config/variables.ts'
import { StoreUnavailable } from './store/store.ts'

type SystemError = NodeJS.ErrnoException & { address?: string; port?: number }

/** Why a server does not start, in a line where it is the operator's to mend; else the error itself. */
export function whyNotStarted(error: unknown): unknown {
  if (error instanceof CannotStart) return error.message
  if (error instanceof StoreUnavailable || error instanceof postgres.PostgresError) {
    const { message } = error.cause instanceof Error ? error.cause : error
    return `the store cannot be opened (${message}): see DATABASE_URL and DATA_DIR`
  }
  const { code, address, port, syscall, path } = error as SystemError
  if (code === 'EADDRINUSE')
    return `${address} port ${port} is taken: choose another with PORT, TELTONIKA_PORT or GT06_PORT`
  if (syscall === 'listen') return `cannot listen on ${address} port ${port}: ${code}`
  if (path !== undefined)
    return `cannot ${syscall} ${path}: ${code}; see that the user of the server may, or name another place`
  return error
}
