/** Where `g` and then a letter leads. */
export const GO_KEYS: Readonly<Record<string, { path: string; title: string }>> = {
  d: { path: '/', title: 'Dashboard' },
  n: { path: '/notifications', title: 'Notifications' },
  r: { path: '/reports', title: 'Reports' },
  o: { path: '/devices/chiller-observation', title: 'Temp Observations' },
  v: { path: '/visualization/violations', title: 'Violations' },
  s: { path: '/shift', title: 'Since you left' },
}
