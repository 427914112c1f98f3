import { isPassword } from '#machines/rules/password.ts'

/**
 * Exchanges secrets for stand-ins, the same for the same secret: two that were equal stay equal, and one that would do as
 * a password still does, so that a machine that looks at them goes the same way. A secret is known by the name it goes by,
 * by its look, or because it has been met before.
 */
export type Secrets = {
  /** how many have been met */
  readonly known: number
  /** remembers a secret: wherever it turns up from now on, it is exchanged */
  learn(secret: string): void
  /** what stands for a secret as a whole */
  standIn(secret: string): string
  /** a text without the secrets in it */
  clean(text: string): string
}

/** A shorter text is no secret for being equal to one. */
const SHORTEST = 4
/** A shorter one that is part of a longer text is taken for chance. */
const SHORTEST_PART = 6
/** Also those of older recordings, which have a blank. */
export const STAND_IN = /^(?:Hidden#|hidden[- ])\d+$/

export function createSecrets(): Secrets {
  const standIns = new Map<string, string>()
  /** longest first: one may be part of another */
  let parts: string[] = []

  function standIn(secret: string): string {
    if (secret.trim() === '' || STAND_IN.test(secret)) return secret
    const known = standIns.get(secret)
    if (known !== undefined) return known
    const made = `${isPassword(secret) ? 'Hidden#' : 'hidden-'}${standIns.size + 1}`
    standIns.set(secret, made)
    if (secret.length >= SHORTEST_PART)
      parts = [...parts, secret].toSorted((one, other) => other.length - one.length)
    return made
  }

  function clean(text: string): string {
    if (text === '' || STAND_IN.test(text)) return text
    const known = text.length >= SHORTEST ? standIns.get(text) : undefined
    if (known !== undefined) return known
    let cleaned = text
    for (const secret of parts)
      if (cleaned.includes(secret)) cleaned = cleaned.replaceAll(secret, standIn(secret))
    for (const look of LOOKS)
      cleaned = cleaned.replace(look, (_, before: string, secret: string) => `${before}${standIn(secret)}`)
    return cleaned
  }

  return {
    get known() {
      return standIns.size
    },
    learn: (secret) => void standIn(secret),
    standIn,
    clean,
  }
}

const NAMES =
  'pass(?:word|wd|code|phrase|key)|token|secret|cookie|credential|authori[sz]ation|api[-_]?key|private[-_]?key|' +
  'signature|(?:session|identity)[-_]?id|jwt|bearer'
const PARTS_OF_NAMES = new RegExp(NAMES, 'i')
const WHOLE_NAMES = /^(?:key|code|pin|otp|auth|link|hash|salt|nonce|cvv|reset)$/i
const CODES = /(?:confirm|confirmation|verify|verification|reset|access|login|sms|mail|email)[-_]?code$/i

/** Whether what goes by this name is nobody's business. */
export const isSecretName = (name: string): boolean =>
  PARTS_OF_NAMES.test(name) || WHOLE_NAMES.test(name) || CODES.test(name)

/** What is a secret by its look: all before it, then the secret. */
const LOOKS: readonly RegExp[] = [
  // of a link in a mail
  /(\/(?:user\/activate|set-password\/[^/\s]+|adminLogin|user\/reset)[/?#])([^\s"'<>]+)/g,
  // Bearer …
  /(\b(?:bearer|basic)\s+)([\w.~+/=#-]{6,})/gi,
  // password=…, "token": "…"
  new RegExp(`((?:${NAMES}|\\b(?:code|pin|otp|auth|key))[\\w-]*["']?\\s*[=:]\\s*["'])([^"']+)`, 'gi'),
  new RegExp(
    `((?:${NAMES}|\\b(?:code|pin|otp|auth|key))[\\w-]*\\s*[=:]\\s*)(hidden \\d+|[^\\s"'&;,<>]+)`,
    'gi',
  ),
  // a token of three parts
  /(^|[^\w.-])(eyJ[\w-]+\.[\w-]+\.[\w-]*)/g,
  // long and without a word in it: digits, small and large letters at once
  /(^|[^\w-])((?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{24,})(?![\w-])/g,
  // in hexadecimal
  /(^|[^\w-])((?=[a-f\d]*\d)[a-f\d]{32,})(?![\w-])/gi,
]
