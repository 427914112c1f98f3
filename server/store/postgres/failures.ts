import postgres from 'postgres'
import { StoreUnavailable } from '../store.ts'

/** The connection is gone: what was asked last may have been done or not. */
export class ConnectionLost extends Error {
  constructor(why: string) {
    super(`the connection to the database is lost: ${why}`)
    this.name = 'ConnectionLost'
  }
}

/**
 * Classes of SQLSTATE that say nothing against what was asked: connection, resources, operator; and what may succeed another
 * time: read-only server, serialization, lock not to be had in time. A damaged page or file stays so (`isDamage`): it is reported at once.
 */
const SERVER = /^(?:08|53|57|25006|40001|40P01|55P03|55000)/
/** Errors of the client library and of the network. */
const NETWORK =
  /^(?:CONNECT|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_|ENOTFOUND|ERR_STREAM|ERR_SOCKET)/
/** SQLSTATE classes of an answer that comes with the end of the connection. */
const ENDING = /^(?:08|57P)/

const codeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** Whether the database was not reached, or the connection ended before an answer: it may have done what was asked. */
export function isConnectionFailure(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true
  if (error instanceof postgres.PostgresError) return ENDING.test(codeOf(error))
  return error instanceof Error && NETWORK.test(codeOf(error))
}

/** Whether the database can't do now what was asked, whatever it was. */
export function isUnavailable(error: unknown): boolean {
  if (isConnectionFailure(error)) return true
  return error instanceof postgres.PostgresError && SERVER.test(codeOf(error))
}

/** Whether the database found its own pages or files damaged: what did not touch them it answers as before. */
export const isDamage = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && /^(?:58|XX)/.test(codeOf(error))

/** The error as callers of a store know it: what the database can't do now is `StoreUnavailable`. */
export function asStoreError(error: unknown): unknown {
  return isUnavailable(error) ? new StoreUnavailable(error) : error
}

/** Whether the record was begun anew since this node copied it (append_flush in migration 001). */
export function isOtherEpoch(error: unknown): boolean {
  return error instanceof postgres.PostgresError && codeOf(error) === 'FL001'
}
