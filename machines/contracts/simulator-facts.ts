/** The facts of the simulator and its director. The log holds them beside the server's, which makes and reads none of them. */
import { object, optional } from 'superstruct'
import { DirectorAction } from './director-actions.ts'
import { FAULT_FACTS } from './fault-facts.ts'
import { Count, Finite, Id, Line } from './scalars.ts'

/** The data of each type, as `DATA` in facts.ts has it for the server's own. */
export const SIMULATOR_FACTS = {
  ...FAULT_FACTS,
  /** a director did something to the simulated world; `what`: a sentence, with names as they were then */
  'director.acted': object({ actionId: Id, what: Line, deed: DirectorAction }),
  /** `realSeconds`: of a fault of the network, how long it lasted by everybody's clock */
  'director.undid': object({ actionId: Id, realSeconds: optional(Finite) }),
  /** an event of the scenario happened; `event`: which one of the file, from 0 */
  'scenario.played': object({ event: Count }),
} as const
