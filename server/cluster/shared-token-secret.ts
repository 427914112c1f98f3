import { createHmac, randomBytes } from 'node:crypto'
import { CannotStart } from '../config/variables.ts'
import type { Database } from '../store/postgres/database.ts'

/** This node signs with another key than the nodes that are up: what one lets in, the others would refuse. */
export class OtherSecret extends CannotStart {
  constructor(isGiven: boolean) {
    super(
      isGiven
        ? 'TOKEN_SECRET is not the one the other nodes have: give all the same, or stop them all before it is changed'
        : 'The other nodes were given a TOKEN_SECRET: give this one the same',
    )
    this.name = 'OtherSecret'
  }
}

/**
 * The key that signs access tokens on all nodes: the given one, else one made by the first node that starts and kept in the
 * database, readable to whoever reads that. Ask before this node tries to lead.
 * @throws OtherSecret while a node leads that has another; StoreUnavailable
 */
export async function sharedTokenSecret(
  given: string | undefined,
  database: Pick<Database, 'transaction'>,
): Promise<string> {
  return database.transaction(async (sql) => {
    // one node after the other, so that two that start at once are told apart
    await sql`LOCK TABLE house_keys IN SHARE ROW EXCLUSIVE MODE`
    const kept = new Map(
      (await sql<{ name: string; value: string }[]>`SELECT name, value FROM house_keys`).map(
        ({ name, value }) => [name, value],
      ),
    )
    const keep = (name: string, value: string) => sql`
      INSERT INTO house_keys VALUES (${name}, ${value})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`
    let secret = given ?? kept.get('token-secret')
    if (secret === undefined) {
      secret = randomBytes(32).toString('base64url')
      await keep('token-secret', secret)
    }
    // tells whether two are the same, and nothing else: a given one is in no database
    const proof = createHmac('sha256', secret).update('frostline token secret').digest('hex')
    if (kept.get('token-proof') === proof) return secret
    const [lead] = await sql`SELECT node FROM lead WHERE until > clock_timestamp()`
    if (lead !== undefined && kept.has('token-proof')) throw new OtherSecret(given !== undefined)
    await keep('token-proof', proof)
    return secret
  })
}
