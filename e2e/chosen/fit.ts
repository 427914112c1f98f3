import { OPERATOR, PASSWORD } from '../app.ts'
import { signIn, simRequest } from '../control.ts'

/**
 * What drivers need of an app that runs already: its simulated world, which is played on from here, and the accounts of
 * the demo.
 * @returns what is missing, in one line; undefined where it is fit
 */
export async function missingOn(url: string): Promise<string | undefined> {
  const answer = await fetch(`${url}/sim/status`, simRequest('GET')).catch(() => undefined)
  if (answer === undefined)
    return `nothing answers at ${url}; start the app with npm start, or leave --url out`
  const text = await answer.text()
  if (answer.status === 403)
    return `${url} lets nobody from here play on its world; set SIM_TOKEN to the token it was started with`
  if (!answer.ok || !text.startsWith('{'))
    return `${url} has no simulated world, which drivers act on; start it with SIMULATOR=on`
  try {
    await signIn(url, OPERATOR, PASSWORD)
    return undefined
  } catch {
    return `${url} does not let in ${OPERATOR} with the demo's password; start it on the demo scenario`
  }
}
