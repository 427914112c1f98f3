import { type Algorithm, hash, verify } from '@node-rs/argon2'

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane; some 25 ms on a server core. */
const COST = {
  algorithm: 2 satisfies Algorithm.Argon2id as Algorithm,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}

/** An argon2id PHC string. */
export const hashPassword = (password: string): Promise<string> => hash(password, COST)

let decoy: Promise<string> | undefined

/**
 * Whether the password is the one behind the hash. Without a hash (nobody known by that name, or no password set yet)
 * the same work is done for nothing, so that the time tells nothing.
 */
export async function verifyPassword(known: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const right = await verify(known ?? (await decoy), password)
  return known !== null && right
}
