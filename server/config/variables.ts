type Source = Readonly<Record<string, string | undefined>>
/** How a variable is read: answers its value, or undefined where the text is not one of those `takes` names. */
export type Kind<T> = { takes: string; read(text: string): T | undefined }
/** Reads one variable; an empty one counts as not set. */
export type Read = <T, D>(name: string, kind: Kind<T>, otherwise: D) => T | D

type Wrong = { name: string; value: string; takes: string }

/** Why a server does not start, in words for whoever starts it: what is wrong, and the ways on. */
export class CannotStart extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CannotStart'
  }
}

/** One or more variables hold what they cannot. The message is one line that names them all and what each takes. */
export class EnvError extends CannotStart {
  readonly names: readonly string[]
  readonly wrong: readonly Wrong[]
  constructor(wrong: readonly Wrong[]) {
    const each = wrong.map(({ name, value, takes }) => `${name} takes ${takes}, got ${shown(name, value)}`)
    super(`environment: ${each.join('; ')}`)
    this.name = 'EnvError'
    this.names = wrong.map(({ name }) => name)
    this.wrong = wrong
  }
}

/**
 * Reads a set of variables.
 * @throws EnvError that names every bad one of them
 */
export function readVariables<T>(source: Source, build: (read: Read) => T): T {
  const wrong: Wrong[] = []
  const found = build((name, { takes, read }, otherwise) => {
    const value = source[name]?.trim()
    if (value === undefined || value === '') return otherwise
    const found = read(value)
    if (found === undefined) wrong.push({ name, value, takes })
    return found ?? otherwise
  })
  if (wrong.length > 0) throw new EnvError(wrong)
  return found
}

/**
 * Two readers of the environment as one.
 * @throws EnvError that names what either refuses
 */
export function readTogether<A, B>(first: () => A, second: () => B): [A, B] {
  const wrong: Wrong[] = []
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof EnvError)) throw error
      wrong.push(...error.wrong)
      return undefined
    }
  }
  const both = [attempt(first), attempt(second)]
  if (wrong.length > 0) throw new EnvError(wrong)
  return both as [A, B]
}

/** Digits alone, both ends included: `1.0` and `1e3` are refused. */
export const whole = (low: number, high: number): Kind<number> => ({
  takes: `a whole number from ${low} to ${high}`,
  read: (value) =>
    /^\d+$/.test(value) && Number(value) >= low && Number(value) <= high ? Number(value) : undefined,
})

/** Both ends included. */
export const text = (low: number, high: number): Kind<string> => ({
  takes: `${low} to ${high} characters`,
  read: (value) => (value.length >= low && value.length <= high ? value : undefined),
})

/** Secrets and addresses with passwords in them never reach a log. */
function shown(name: string, value: string): string {
  if (/SECRET|TOKEN|URL/.test(name)) return `${value.length} characters`
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}…` : value)
}
