import { object, type as open, string } from 'superstruct'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { calls } from '#machines/contracts/calls/call.ts'
import { IMPORT_BYTES } from '#machines/contracts/entities/device-records.ts'
import { POSITION_HEADER } from '#machines/contracts/protocol.ts'
import { CallCancelled, CallRefused, CallTimedOut, failureMessage, Unreachable } from './call-failures.ts'
import { createCommandKeys } from './command-keys.ts'
import { type Credentials, createHttp, type HttpDeps } from './http.ts'

const CALLS = calls({
  name: {
    method: 'GET',
    path: '/things/{imei}/name',
    summary: '',
    access: 'session',
    params: object({ imei: string() }),
    query: object({ data: object({ from: string() }) }),
    answer: open({ name: string() }),
  },
  rename: {
    method: 'PUT',
    path: '/name',
    summary: '',
    access: 'session',
    body: object({ name: string() }),
    answer: open({ name: string() }),
  },
  take: {
    method: 'POST',
    path: '/take',
    summary: '',
    access: 'session',
    setsState: true,
    answer: open({ name: string() }),
  },
  picture: {
    method: 'PUT',
    path: '/picture',
    summary: '',
    access: 'session',
    takesFile: true,
    answer: open({ name: string() }),
  },
  sign: {
    method: 'POST',
    path: '/sign',
    summary: '',
    access: 'session',
    repeatable: true,
    isChange: true,
    answer: open({ name: string() }),
  },
  leave: {
    method: 'POST',
    path: '/leave',
    summary: '',
    access: 'session',
    isOfSession: true,
    answer: open({ name: string() }),
  },
  enter: { method: 'POST', path: '/enter', summary: '', access: 'anyone', answer: open({ name: string() }) },
  activate: {
    method: 'POST',
    path: '/activate/{token}',
    summary: '',
    access: 'anyone',
    params: object({ token: string() }),
    answer: open({ name: string() }),
  },
})
const parameters = { params: { imei: '1' }, query: { data: { from: 'a' } } }

const tokens: Credentials = { accessToken: 'access-1', refreshToken: 'refresh-1', isSuperAdminUser: false }
const newer: Credentials = { ...tokens, accessToken: 'access-2' }

let requests: Request[]
let notes: string[]
let kept: Pick<Storage, 'getItem' | 'setItem'>

beforeEach(() => {
  requests = []
  notes = []
  const items = new Map<string, string>()
  kept = { getItem: (name) => items.get(name) ?? null, setItem: (name, value) => items.set(name, value) }
})

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })

function clientOf(answer: (request: Request) => Response | Promise<Response>, deps: Partial<HttpDeps> = {}) {
  return createHttp({
    baseUrl: 'http://frostline.example',
    fetch: async (url, init) => {
      const request = new Request(url, init)
      requests.push(request)
      return answer(request)
    },
    timeoutMs: 1000,
    commandKeys: async () => createCommandKeys(kept, () => 0),
    repeatAfterMs: 1,
    credentials: async () => tokens,
    renewed: async () => undefined,
    position: () => undefined,
    onBuild: (build) => notes.push(`build ${build}`),
    onRefused: () => notes.push('refused'),
    onTimeout: ({ message }, { isBackground }) => notes.push(`${message}${isBackground ? ', behind' : ''}`),
    onUnreachable: ({ detail }, { isBackground }) => notes.push(`${detail}${isBackground ? ', behind' : ''}`),
    ...deps,
  })
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('what is sent', () => {
  test('carries both tokens, and the query as JSON', async () => {
    const http = clientOf(() => json(200, { name: 'LEA-4817' }))
    expect(await http.ask(CALLS.name, parameters)).toEqual({ name: 'LEA-4817' })
    const [request] = requests
    expect(request?.url).toBe(
      `http://frostline.example/api/things/1/name?data=${encodeURIComponent('{"from":"a"}')}`,
    )
    expect(request?.headers.get('authorization')).toBe('Bearer access-1')
    expect(request?.headers.get('token')).toBe('refresh-1')
    expect(request?.headers.has('isSuperAdminUser')).toBe(false)
  })

  test('says up to where the visitor was told what happened, and hears that a node has not come as far', async () => {
    let position: number | undefined
    let isBehind = false
    const headers = () => (isBehind ? { headers: { [POSITION_HEADER]: '7' } } : {})
    const http = clientOf(() => new Response('{"name":"x"}', headers()), { position: () => position })
    const onBehind = vi.fn()
    await http.ask(CALLS.name, parameters, { onBehind })
    position = 8
    await http.ask(CALLS.name, parameters, { onBehind })
    expect(onBehind).not.toHaveBeenCalled()
    isBehind = true
    await http.ask(CALLS.name, parameters, { onBehind })
    expect(onBehind).toHaveBeenCalledOnce()
    expect(requests.map((request) => request.headers.get(POSITION_HEADER))).toEqual([null, '8', '8'])
  })

  test('says that it is an administrator only when it is', async () => {
    const http = clientOf(() => json(200, { name: 'x' }), {
      credentials: async () => ({ ...tokens, isSuperAdminUser: true }),
    })
    await http.ask(CALLS.rename, { body: { name: 'x' } })
    expect(requests[0]?.headers.get('isSuperAdminUser')).toBe('true')
    expect(await requests[0]?.json()).toEqual({ name: 'x' })
  })

  test('is no change while they are held, neither a file nor a signature', async () => {
    const keys = createCommandKeys(kept, () => 0)
    const http = clientOf(() => json(200, { name: 'x' }), { commandKeys: async () => keys })
    keys.hold('Go back to now to change something')
    const file = new Blob(['x'])
    for (const sent of [
      http.ask(CALLS.rename, { body: { name: 'x' } }),
      http.ask(CALLS.picture, {}, { file }),
      http.ask(CALLS.sign, {}),
    ])
      await expect(sent).rejects.toThrow('Go back to now to change something')
    await http.ask(CALLS.name, parameters)
    await http.ask(CALLS.leave, {})
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/api/things/1/name', '/api/leave'])
    keys.hold(undefined)
    await http.ask(CALLS.sign, {})
    expect(requests).toHaveLength(3)
  })

  test('names the version that a change was made of', async () => {
    await clientOf(() => json(200, { name: 'x' })).ask(
      CALLS.rename,
      { body: { name: 'x' } },
      { ifMatch: '17' },
    )
    expect(requests[0]?.headers.get('if-match')).toBe('"17"')
  })

  test('is a form where there is a file', async () => {
    const http = clientOf(() => json(200, { name: 'x' }))
    await http.ask(CALLS.enter, {}, { file: new File(['pixels'], 'logo.png', { type: 'image/png' }) })
    const part = (await requests[0]?.formData())?.get('file') as File
    expect([part.name, part.type, await part.text()]).toEqual(['logo.png', 'image/png', 'pixels'])
  })

  test('carries no token where anyone may call', async () => {
    await clientOf(() => json(200, { name: 'x' })).ask(CALLS.enter, {})
    expect(requests[0]?.headers.has('authorization')).toBe(false)
  })
})

describe('a command', () => {
  const rename = { body: { name: 'LEA-4817' } }
  const keys = () => requests.map(({ headers }) => headers.get('idempotency-key'))
  const cutOff = () => Promise.reject(new TypeError('Failed to fetch'))

  test('has a name of its own each time; what is only asked has none', async () => {
    const http = clientOf(() => json(200, { name: 'x' }))
    await http.ask(CALLS.rename, rename)
    await http.ask(CALLS.rename, rename)
    await http.ask(CALLS.name, parameters)
    await http.ask(CALLS.enter, {})
    const [first, second, ...others] = keys()
    expect(first).toBeTypeOf('string')
    expect(second).not.toBe(first)
    expect(others).toEqual([null, null])
  })

  test('that is cut off once is sent again under its name, and nobody is told', async () => {
    const http = clientOf(() => (requests.length === 1 ? cutOff() : json(200, { name: 'x' })))
    expect(await http.ask(CALLS.rename, rename)).toEqual({ name: 'x' })
    expect(keys()[1]).toBe(keys()[0])
    expect(requests).toHaveLength(2)
    expect(notes).toEqual([])
  })

  test('that stays without an answer is told once, and has the same name when it is pressed again on the next page', async () => {
    await failureOf(clientOf(cutOff).ask(CALLS.rename, rename))
    expect(notes).toHaveLength(1)
    await failureOf(clientOf(() => json(500, {})).ask(CALLS.rename, rename))
    await failureOf(clientOf(() => json(500, {})).ask(CALLS.rename, { body: { name: 'another' } }))
    await clientOf(() => json(200, { name: 'x' })).ask(CALLS.rename, rename)
    await clientOf(() => json(200, { name: 'x' })).ask(CALLS.rename, rename)
    const [first, repeated, failed, other, again, next] = keys()
    expect([repeated, failed, again]).toEqual([first, first, first])
    expect(other).not.toBe(first)
    expect(next, 'once it has its answer, another').not.toBe(first)
  })

  test('that is done again after another is done once more, though its first answer was lost', async () => {
    const kept = new Map<string | null, Response>()
    let name = ''
    const server = (isLost: boolean) => async (request: Request) => {
      const key = request.headers.get('idempotency-key')
      if (!kept.has(key)) {
        name = (await request.json()).name
        kept.set(key, json(200, { name }))
      }
      return isLost ? cutOff() : (kept.get(key) as Response).clone()
    }
    await failureOf(clientOf(server(true)).ask(CALLS.rename, { body: { name: 'A' } }))
    await clientOf(server(false)).ask(CALLS.rename, { body: { name: 'B' } })
    await clientOf(server(false)).ask(CALLS.rename, { body: { name: 'A' } })
    expect(name).toBe('A')
  })

  test('that sets a state has one name until it is given up, and another when it is pressed again', async () => {
    await failureOf(clientOf(cutOff).ask(CALLS.take, {}))
    await clientOf(() => json(200, { name: 'x' })).ask(CALLS.take, {})
    const [first, repeated, again] = keys()
    expect(first).toBeTypeOf('string')
    expect(repeated).toBe(first)
    expect(again).not.toBe(first)
  })

  test('that was refused is another one when it is sent again', async () => {
    const http = clientOf(() => json(422, { code: 422, message: 'Invalid name' }))
    await failureOf(http.ask(CALLS.rename, rename))
    await failureOf(http.ask(CALLS.rename, rename))
    expect(keys()[1]).not.toBe(keys()[0])
  })

  test('that nobody waits for any more is not sent again', async () => {
    const aborter = new AbortController()
    const http = clientOf(
      () => {
        setTimeout(() => aborter.abort())
        return cutOff()
      },
      { repeatAfterMs: 1_000_000 },
    )
    const failure = await failureOf(http.ask(CALLS.rename, rename, { signal: aborter.signal }))
    expect(failure).toBeInstanceOf(CallCancelled)
    expect(requests).toHaveLength(1)
    expect(notes).toEqual([])
  })
})

describe('an answer', () => {
  test('that is none is refused with its place', async () => {
    const http = clientOf(() => json(200, { name: 7 }))
    const failure = (await failureOf(http.ask(CALLS.enter, {}))) as Error
    expect(failure.message, 'for the visitor').toBe('Something went wrong')
    expect((failure.cause as Error).message).toBe('answer of POST /enter: at name: expected string, got 7')
  })

  test('of bytes is given as bytes', async () => {
    const http = clientOf(() => new Response(new Uint8Array([1, 2, 3])))
    expect(new Uint8Array(await http.askBytes(CALLS.enter, {}, 'application/vnd.frostline.fleet'))).toEqual(
      new Uint8Array([1, 2, 3]),
    )
    expect(requests[0]?.headers.get('accept')).toBe('application/vnd.frostline.fleet')
  })
})

describe('a 401', () => {
  test('is asked again with renewed tokens, and nobody is told', async () => {
    const http = clientOf(
      (request) =>
        request.headers.get('authorization') === 'Bearer access-2' ? json(200, { name: 'x' }) : json(401, {}),
      { renewed: async () => newer },
    )
    expect(await http.ask(CALLS.name, parameters)).toEqual({ name: 'x' })
    expect(notes).toEqual([])
  })

  test('as the code of a body with status 200 is one', async () => {
    const http = clientOf(() => json(200, { code: 401, message: 'Please login first' }), {
      renewed: async () => newer,
    })
    const failure = await failureOf(http.ask(CALLS.name, parameters))
    expect(failure).toMatchObject({ status: 401, message: 'Please login first' })
    expect(requests).toHaveLength(2)
    expect(notes).toEqual(['refused'])
  })

  test('that stays one says so and shows no toast', async () => {
    const http = clientOf(() => json(401, { code: 401, message: 'Unauthorized' }), {
      renewed: async () => newer,
    })
    const failure = await failureOf(http.ask(CALLS.name, parameters))
    expect(notes).toEqual(['refused'])
    expect(failureMessage(failure)).toBeUndefined()
  })

  test('on the way in is the server’s word on the password', async () => {
    const http = clientOf(() => json(401, { code: 401, message: 'Invalid credentials' }))
    const failure = await failureOf(http.ask(CALLS.enter, {}))
    expect(failureMessage(failure)).toBe('Invalid credentials')
    expect(notes).toEqual([])
  })
})

describe('other failures', () => {
  test('the first 404 is swallowed, the second is told', async () => {
    const http = clientOf(() => json(404, { code: 404, message: 'Not found' }))
    const first = await failureOf(http.ask(CALLS.name, parameters))
    const second = await failureOf(http.ask(CALLS.name, parameters))
    expect([failureMessage(first), failureMessage(second)]).toEqual([undefined, 'Not found'])
    expect(second).toMatchObject({ status: 404, isRefusal: true })
  })

  test("without the server's words it is 'Something went wrong'", async () => {
    const http = clientOf(() => new Response('<html>', { status: 502 }))
    const failure = await failureOf(http.ask(CALLS.name, parameters))
    expect(failure).toBeInstanceOf(CallRefused)
    expect(failure).toMatchObject({ message: 'Something went wrong', isRefusal: false })
  })

  test('408 and no answer in time are the same to the visitor', async () => {
    const url = 'http://frostline.example/api/enter'
    const slow = clientOf(
      (request) =>
        new Promise((_, reject) =>
          request.signal.addEventListener('abort', () => reject(request.signal.reason)),
        ),
      { timeoutMs: 5 },
    )
    expect(await failureOf(slow.ask(CALLS.enter, {}))).toBeInstanceOf(CallTimedOut)
    await failureOf(clientOf(() => json(408, {})).ask(CALLS.enter, {}))
    expect(notes).toEqual([`A timeout happend on url ${url}`, `A timeout happend on url ${url}`])
  })

  test('a file has the time that the largest takes at 20 kB/s', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    onTestFinished(() => timeout.mockRestore())
    await clientOf(() => json(200, { name: 'x' })).ask(CALLS.picture, {}, { file: new Blob(['x']) })
    expect(timeout.mock.lastCall?.[0]).toBeGreaterThan(30_000 + IMPORT_BYTES / 20)
  })

  test.each([
    { parts: ['LEA', '-', '4817'], falls: 'over', is: 'LEA-4817' },
    { parts: ['LEA'], falls: 'silent', is: expect.any(CallTimedOut) },
  ])('bytes of which each part came in time, and that is then $falls', async ({ parts, falls, is }) => {
    vi.useFakeTimers()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const aborter = new AbortController()
      setTimeout(() => aborter.abort(), ms)
      return aborter.signal
    })
    onTestFinished(() => {
      timeout.mockRestore()
      vi.useRealTimers()
    })
    const slow = ({ signal }: Request) =>
      new ReadableStream({
        start(to) {
          signal.addEventListener('abort', () => to.error(signal.reason))
        },
        async pull(to) {
          const part = parts.shift()
          if (part !== undefined) await new Promise((resolve) => setTimeout(resolve, 800))
          else if (falls === 'silent') await new Promise(() => {})
          if (signal.aborted) return
          if (part === undefined) to.close()
          else to.enqueue(new TextEncoder().encode(part))
        },
      })
    const request = clientOf((request) => new Response(slow(request))).askBytes(CALLS.enter, {}, 'image/webp')
    const outcome = request.then((bytes) => new TextDecoder().decode(bytes)).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(5000)
    expect(await outcome).toEqual(is)
  })

  test('no answer is told with what was asked, and whether somebody waits for it', async () => {
    const http = clientOf(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(await failureOf(http.ask(CALLS.enter, {}, { isBackground: true }))).toBeInstanceOf(Unreachable)
    const failure = await failureOf(http.ask(CALLS.enter, {}))
    const parameters = 'POST http://frostline.example/api/enter: Failed to fetch'
    expect(notes).toEqual([`${parameters}, behind`, parameters])
    expect((failure as Error).message, 'nothing of the address is for the visitor').toBe(
      'No answer from the server. Try again in a moment.',
    )
  })

  test('an answer that breaks off is none', async () => {
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"name":'))
        controller.error(new TypeError('network error'))
      },
    })
    const failure = await failureOf(clientOf(() => new Response(broken)).ask(CALLS.name, parameters))
    expect(failure).toBeInstanceOf(Unreachable)
    expect(notes).toHaveLength(1)
  })

  test('neither what was asked for nor a token in the path is told', async () => {
    const http = clientOf(() => Promise.reject(new TypeError('Failed to fetch')))
    await failureOf(http.ask(CALLS.name, parameters))
    await failureOf(http.ask(CALLS.activate, { params: { token: 'secret-1' } }))
    await failureOf(clientOf(() => json(408, {})).ask(CALLS.activate, { params: { token: 'secret-1' } }))
    expect(notes).toEqual([
      'GET http://frostline.example/api/things/1/name: Failed to fetch',
      'POST http://frostline.example/api/activate/…: Failed to fetch',
      'A timeout happend on url http://frostline.example/api/activate/…',
    ])
  })

  test('one who no longer wants to know is told nothing', async () => {
    const aborter = new AbortController()
    const http = clientOf((request) => {
      aborter.abort()
      return Promise.reject(request.signal.reason)
    })
    expect(await failureOf(http.ask(CALLS.enter, {}, { signal: aborter.signal }))).toBeInstanceOf(
      CallCancelled,
    )
    expect(notes).toEqual([])
  })

  test('an unknown path parameter is the caller’s fault, not the network’s', async () => {
    const fetch = vi.fn()
    const http = clientOf(fetch)
    await expect(http.ask(CALLS.name, { params: {}, query: parameters.query } as never)).rejects.toThrow(
      'imei is missing',
    )
    expect(fetch).not.toHaveBeenCalled()
  })
})
