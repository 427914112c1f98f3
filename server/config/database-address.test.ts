import { expect, test } from 'vitest'
import { type DatabaseAddress, parseDatabaseUrl } from './database-address.ts'

test('one server, with what the client library is to know', () => {
  expect(
    parseDatabaseUrl(
      'postgres://u:p%40ss@db.example/frostline?sslmode=require&application_name=a&sslrootcert=/etc/ca.pem',
    ),
  ).toEqual({
    hosts: [{ host: 'db.example', port: 5432 }],
    url: 'postgres://u:p%40ss@db.example/frostline?application_name=a',
    tls: { mode: 'require', authority: '/etc/ca.pem' },
  })
})

test('several, each with its port, in their order; what picks among them is ours to do', () => {
  const { hosts, url, tls } = parseDatabaseUrl(
    'postgresql://u:p@10.0.0.1:5432,[fd00::2]:5433,c/frostline?target_session_attrs=read-write',
  ) as DatabaseAddress
  expect(tls).toEqual({ mode: 'disable', authority: undefined })
  expect(hosts).toEqual([
    { host: '10.0.0.1', port: 5432 },
    { host: 'fd00::2', port: 5433 },
    { host: 'c', port: 5432 },
  ])
  expect(url).toBe('postgresql://u:p@10.0.0.1:5432/frostline')
})
