import { databasesAt } from './databases.ts'

/** The name of the node that leads, as the database of the nodes has it; undefined while none does. */
export async function leadIn(databaseUrl: string): Promise<string | undefined> {
  const rows = await databasesAt(databaseUrl).ask('SELECT node FROM lead WHERE until > clock_timestamp()')
  return rows[0]?.node as string | undefined
}
