import { expect, test, vi } from 'vitest'
import { createToasts, type ShownToast } from './toast.ts'

const library = {
  success: (_: string): unknown => undefined,
  error: (_: string): unknown => undefined,
  info: (_: string): unknown => undefined,
  message: (_title: string, _toast: ShownToast): unknown => undefined,
}

function shown() {
  const all: ShownToast[] = []
  const toasts = createToasts(
    async () => ({ ...library, message: (_, toast) => all.push(toast) }),
    () => {},
  )
  const popup = async (name = 'news'): Promise<ShownToast> => {
    toasts.popup(name, {
      title: 'One',
      detail: '',
      action: { label: 'View', onPress: () => {} },
      duration: 8000,
      onGone: () => {},
    })
    await Promise.resolve()
    return all.at(-1) as ShownToast
  }
  return popup
}

test('a popup takes the place of the one that is shown by the same name, and of no other', async () => {
  const popup = shown()
  const { id } = await popup()
  expect((await popup()).id).toBe(id)
  expect((await popup('other')).id).not.toBe(id)
})

test.each(['onDismiss', 'onAutoClose', 'press'] as const)(
  'what comes while one fades is a popup of its own: %s',
  async (how) => {
    const popup = shown()
    const { id, ...first } = await popup()
    if (how === 'press') first.action.onClick()
    else first[how]()
    const next = await popup()
    expect(next.id).not.toBe(id)
    expect((await popup()).id).toBe(next.id)
  },
)

test('where the library did not arrive somebody is told, and the next toast has it fetched again', async () => {
  const missing = new TypeError('Failed to fetch dynamically imported module')
  const error = vi.fn()
  const mount = vi.fn(async () => ({ ...library, error })).mockRejectedValueOnce(missing)
  const onFailure = vi.fn()
  const toasts = createToasts(mount, onFailure)
  toasts.error('Refused')
  await vi.waitUntil(() => onFailure.mock.calls.length > 0)
  toasts.error('Refused again')
  await vi.waitUntil(() => error.mock.calls.length > 0)
  expect([onFailure.mock.calls, error.mock.calls]).toEqual([[[missing]], [['Refused again']]])
})
