import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEnv } from './config.ts'
import { EnvError } from './variables.ts'

function refusal(source: Record<string, string>): EnvError {
  try {
    readEnv(source)
  } catch (error) {
    if (error instanceof EnvError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

test('with nothing set, everything has its default', () => {
  expect(readEnv({})).toEqual({
    host: '127.0.0.1',
    port: 4000,
    dataDir: './data',
    backupDir: undefined,
    databaseUrl: undefined,
    natsServers: [],
    nodeName: undefined,
    nodeUrl: undefined,
    smtpUrl: undefined,
    mailFrom: 'Frostline <no-reply@frostline.example>',
    smsUrl: undefined,
    publicUrl: undefined,
    trustedProxies: [],
    teltonikaPort: 5027,
    gt06Port: 5023,
    simulator: true,
    tokenSecret: undefined,
    metricsToken: undefined,
    sealKeyFile: undefined,
    sealHeadTo: [],
    accessTtl: 3600,
    sessionTtl: 2_592_000,
    socketsPerUser: 100,
    activationTtl: 86_400,
    resetTtl: 3600,
  })
})

test('reads what is set, and takes an empty variable for one that is not', () => {
  const env = readEnv({
    PORT: ' 0 ',
    HOST: '0.0.0.0',
    SIMULATOR: 'OFF',
    PUBLIC_URL: 'https://fleet.example/',
    NODE_NAME: 'node-2',
    NODE_URL: 'http://10.0.0.3:4000/',
    DATABASE_URL: 'postgres://u:p@db/frostline',
    DATA_DIR: '',
  })
  expect(env).toMatchObject({
    port: 0,
    host: '0.0.0.0',
    simulator: false,
    publicUrl: 'https://fleet.example',
    nodeName: 'node-2',
    nodeUrl: 'http://10.0.0.3:4000',
    databaseUrl: 'postgres://u:p@db/frostline',
    dataDir: './data',
  })
})

test('trusts the proxies that are named, and nobody where one is not an address', () => {
  const trusted = (TRUSTED_PROXIES: string) => readEnv({ TRUSTED_PROXIES }).trustedProxies
  expect(trusted('127.0.0.1')).toEqual(['127.0.0.1'])
  expect(trusted(' 10.0.0.0/8, ::1 ,fd00::/8,')).toEqual(['10.0.0.0/8', '::1', 'fd00::/8'])
  for (const wrong of [
    'proxy',
    'yes',
    '*',
    '1',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.1/8/8',
    '10.0.0.1/',
    ',',
  ])
    expect(refusal({ TRUSTED_PROXIES: wrong }).names).toEqual(['TRUSTED_PROXIES'])
})

test('takes an address of the portal at the top of its host alone', () => {
  for (const wrong of ['/portal', '/?a', '/#a', '//'])
    expect(refusal({ PUBLIC_URL: `https://fleet.example${wrong}` }).names).toEqual(['PUBLIC_URL'])
})

test('takes a database of several servers, and only one that can be written to', () => {
  const several = 'postgres://u:p@db-a:5432,[::1]:5433,db-c/frostline?target_session_attrs=primary'
  expect(readEnv({ DATABASE_URL: several }).databaseUrl).toBe(several)
  for (const wrong of [
    'postgres://',
    'postgres://u:p@/frostline',
    'postgres://a,,b/frostline',
    'postgres://a:port,b/frostline',
    'https://a,b/frostline',
    'postgres://a,b/frostline?target_session_attrs=standby',
  ])
    expect(refusal({ DATABASE_URL: wrong }).names).toEqual(['DATABASE_URL'])
})

test('takes servers of one NATS, each with its port, and none that it does not speak to', () => {
  expect(readEnv({ NATS_URL: 'nats://a:4222, tls://u:p@[::1]:4223' }).natsServers).toEqual([
    'nats://a:4222',
    'tls://u:p@[::1]:4223',
  ])
  for (const wrong of ['http://a', 'nats://a,', 'a:4222', 'nats://', 'ws://a'])
    expect(refusal({ NATS_URL: wrong }).names).toEqual(['NATS_URL'])
})

test('names every bad variable and what it takes, in one line', () => {
  const { message, names } = refusal({ PORT: '70000', SIMULATOR: 'maybe', ACCESS_TTL: '-1' })
  expect(names).toEqual(['PORT', 'SIMULATOR', 'ACCESS_TTL'])
  expect(message).not.toContain('\n')
  expect(message).toContain('PORT takes a port, 0 (any free one) to 65535, got "70000"')
  expect(message).toContain('SIMULATOR takes on or off, got "maybe"')
  expect(message).toContain('ACCESS_TTL takes seconds, 1 to 31536000, got "-1"')
})

test('refuses a short secret without showing it', () => {
  const { message } = refusal({ TOKEN_SECRET: 'hunter2' })
  expect(message).toContain('TOKEN_SECRET takes 32 to 1024 characters')
  expect(message).not.toContain('hunter2')
})

test('whatever is set, it is read or refused by name', () => {
  const names = ['PORT', 'SIMULATOR', 'PUBLIC_URL', 'MAIL_FROM', 'RESET_TTL']
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.string(), (name, value) => {
      try {
        readEnv({ [name]: value })
      } catch (error) {
        expect((error as EnvError).names).toEqual([name])
      }
    }),
  )
})

test('takes addresses that heads are mailed to, each once, and none that is no address', () => {
  const to = (SEAL_HEAD_TO: string) => readEnv({ SEAL_HEAD_TO }).sealHeadTo
  expect(to('a@x.example, b@y.example,a@x.example')).toEqual(['a@x.example', 'b@y.example'])
  for (const wrong of ['auditor', 'a@x.example,', 'Name <a@x.example>', 'a@x', 'heads@[10.0.0.5]'])
    expect(refusal({ SEAL_HEAD_TO: wrong }).names).toEqual(['SEAL_HEAD_TO'])
})
