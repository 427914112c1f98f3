import { type Algorithm, hash, verify } from '@node-rs/argon2'

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane; some 25 ms on a server core. */
const COST = {
  algorithm: 2 satisfies Algorithm.Argon2id as Algorithm,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}

let worked = 0

/** How many passwords were hashed or compared since the start: what guessing costs the server. */
export const passwordsHashed = (): number => worked

/** An argon2id PHC string. */
export function hashPassword(password: string): Promise<string> {
  worked++
  return hash(password, COST)
}

/** Nobody's, at the same cost as everybody's. */
const DECOY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$bm9ib2R5IGF0IGFsbA$${'A'.repeat(43)}`

/**
 * Whether the password is the one behind the hash. Without a hash (nobody known by that name, or no password set yet)
 * the same work is done for nothing, so that the time gives nothing away.
 */
export async function verifyPassword(known: string | null, password: string): Promise<boolean> {
  worked++
  const right = await verify(known ?? DECOY, password)
  return known !== null && right
}
