import { expect, test } from 'vitest'
import { createToasts, type ShownToast } from './toast.ts'

function shown() {
  const all: ShownToast[] = []
  const toasts = createToasts(() =>
    Promise.resolve({
      success: () => {},
      error: () => {},
      info: () => {},
      message: (_, toast) => all.push(toast),
    }),
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
