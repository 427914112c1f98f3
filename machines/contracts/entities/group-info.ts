import { array, type Infer, nullable, type Struct, string, type } from 'superstruct'
import { named } from '../described.ts'
import { Count, Id } from '../scalars.ts'

/** What the shell knows of the visitor's own group. `depthLevel`: 1 is a company's top group. */
export const GroupInfo = type({ depthLevel: Count, groupImage: nullable(string()), name: string() })
export type GroupInfo = Infer<typeof GroupInfo>

/** The documents' depth where an answer does not say. */
export const DEFAULT_DEPTH_LEVEL = 3

export type GroupNode = { _id: string; name: string; child: GroupNode[] }
/** A group with all below it, as selectors and checklists show them. */
export const GroupNode: Struct<GroupNode, unknown> = named('GroupNode', () =>
  type({ _id: Id, name: string(), child: array(GroupNode) }),
)
