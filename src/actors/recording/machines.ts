import type { AnyStateMachine } from 'xstate'

/** Every machine of the server without its effects, by its name. */
export const MACHINES: ReadonlyMap<string, AnyStateMachine> = new Map(
  Object.values(
    import.meta.glob<{ name: string; machine: AnyStateMachine }>('../../../machines/*/*.samples.ts', {
      import: 'model',
      eager: true,
    }),
  ).map(({ name, machine }) => [name, machine]),
)
