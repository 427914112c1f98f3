/** Pages that ask the server for what they list: of another time they are asked anew. */
const LISTS =
  /^\/(groups|users|notifications)$|^\/visualization\/(violations|summary)$|^\/devices\/(temp)?chiller-observation$/
/** Pages that stand at a time that is past by what is shown; all others show what is so now. */
const STANDS = /^\/$|^\/temperature\/[^/]+$/

export const isListOfThen = (path: string): boolean => LISTS.test(path)
export const hasPast = (path: string): boolean => isListOfThen(path) || STANDS.test(path)
