import {
  array,
  enums,
  type Infer,
  number,
  object,
  optional,
  pattern,
  record,
  size,
  string,
  union,
} from 'superstruct'

/**
 * How a requirement is checked. `text`: words a visitor reads; `entity`: fields of something that is answered or stored;
 * `limit` and `constant`: a number or a form; `rule`: what happens, in the words of the documents.
 */
export const REQUIREMENT_KINDS = [
  'route',
  'call',
  'event',
  'text',
  'entity',
  'limit',
  'constant',
  'rule',
] as const

/** A number, a text, or a few of them by their names or in their order. */
const Value = union([
  number(),
  string(),
  size(array(union([number(), string()])), 1, 60),
  record(string(), union([number(), string()])),
])
const Fields = size(array(size(string(), 1, 80)), 1, 60)

/** One thing that the two documents ask for, and where Frostline does it: a line of `fixtures/contract.json`. */
export const Requirement = object({
  kind: enums(REQUIREMENT_KINDS),
  document: enums([1, 2]),
  /** number and heading in that document, e.g. 2 Login */
  section: size(string(), 1, 60),
  /** as the document has it, letter for letter; `{…}` stands for what differs each time */
  what: size(string(), 1, 400),
  /** the file that does it and, after `#`, the symbol or the line of it: none for a text or a route, whose words are looked for */
  where: pattern(string(), /^(machines|server|simulator|src)\/[\w./-]+\.tsx?(#.+)?$/),
  /** of a limit or constant: what the symbol must be, as JSON */
  value: optional(Value),
  /** of a call: fields of its body or query, dotted where one is in another */
  sends: optional(Fields),
  /** of a call: fields of its answer, dotted where one is in another */
  answers: optional(Fields),
  /** of an entity or event: its fields, dotted where one is in another */
  fields: optional(Fields),
  /** the file of a test and, after `#`, its title */
  shown: pattern(string(), /^[\w./-]+\.(test\.tsx?|spec\.ts)#.+$/),
  /** number of the record that says why it is done otherwise, or how something left open was decided */
  decision: optional(pattern(string(), /^\d{4}$/)),
  /** what the document leaves open, or what is done beyond it */
  note: optional(size(string(), 1, 300)),
})
export type Requirement = Infer<typeof Requirement>

/** In the order of the documents. */
export const Requirements = size(array(Requirement), 1, 2000)
