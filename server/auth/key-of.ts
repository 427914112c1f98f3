/** Whose the key in a request's `x-device-key` is, where it may be used for this; undefined: nobody's. */
export type KeyOf = (
  header: string | string[] | undefined,
  scope: 'events',
) => { companyId: string } | undefined
