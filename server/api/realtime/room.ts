import { ContractError, decode, printable } from '#machines/contracts/decode.ts'
import { CLIENT_EVENTS, type RoomAnswer } from '#machines/contracts/sockets.ts'

/**
 * The answer to a client that requests a room. Everybody is in their own from the start and in no other, so nothing else comes
 * of it.
 */
export function roomAnswer(message: unknown, ownId: string): RoomAnswer {
  try {
    const { userId } = decode(printable(message), CLIENT_EVENTS.room, 'room')
    if (userId === ownId) return { isIn: true, message: 'This connection is in its own room from the start' }
    return { isIn: false, message: 'Ignored: a connection is in the room of its own user alone' }
  } catch (error) {
    if (error instanceof ContractError) return { isIn: false, message: `Ignored: ${error.message}` }
    throw error
  }
}
