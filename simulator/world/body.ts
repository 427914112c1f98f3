/** What a device is made of: its place or route, its cold box, its habits. Fixed for its life; drawn from its own key. */
import type { Place, Scenario, ThermalProfile } from '#machines/contracts/scenario.ts'
import { blockLengthOf, type Habits, isLocal } from './itinerary.ts'
import { chance, hash32, PURPOSE, within } from './random.ts'
import { type RoadNetwork, type Route, yardOf } from './roads.ts'
import type { WorldDevice } from './roster.ts'
import { type Air, DAY, HOUR } from './weather.ts'

/** `lat`, `lng`, `climate`: where a warehouse stands; a vehicle's come from its route. Times in ms, temperatures °C. */
export type Body = {
  key: number
  route: Route | undefined
  lat: number
  lng: number
  /** where a vehicle stands beside its road: degrees, at most 85 m */
  northAside: number
  eastAside: number
  climate: Air
  habits: Habits
  box: ThermalProfile
  setPoint: number
  humidity: number
  /** thermostat's and defrost's period and phase */
  cycle: number
  cyclePhase: number
  defrostPeriod: number
  defrostPhase: number
  defrostLength: number
  /** how often its thermal history starts afresh, and how long before that it is worked out from */
  anchorPeriod: number
  anchorPhase: number
  spinUp: number
  voltage: number
  /** ms after each full report interval */
  reportPhase: number
}

const MINUTE = 60_000

export function bodyOf(
  device: WorldDevice,
  scenario: Scenario,
  profile: ThermalProfile,
  roads: RoadNetwork,
): Body {
  const { fleet, key } = device
  const own = (n: number, low: number, high: number) => within(key, PURPOSE.body, n, low, high)
  const utcOffset = scenario.utcOffsetMinutes * MINUTE
  const goal = fleet.destinations[hash32(key, PURPOSE.body, 1) % Math.max(1, fleet.destinations.length)]
  const route =
    fleet.type === 'vehicle' && goal !== undefined
      ? roads.route(endOf(roads.place(fleet.home), key, 30), endOf(roads.place(goal), key, 33))
      : undefined
  const [lat, lng] = standing(device, roads)
  const angle = own(34, 0, 2 * Math.PI)
  const aside = 85 * Math.sqrt(own(35, 0, 1))
  // whole milliseconds: an edge between two of them could be missed for ever
  const defrostPeriod = Math.round(profile.defrostHours * HOUR * own(2, 0.9, 1.1))
  const isStore = route === undefined
  const anchorPeriod = isStore ? DAY : DAY / 2
  return {
    key,
    route,
    lat,
    lng,
    northAside: (aside * Math.cos(angle)) / 111_200,
    eastAside: (aside * Math.sin(angle)) / (111_200 * Math.cos((lat * Math.PI) / 180)),
    climate: roads.place(fleet.home).climate,
    habits: habitsOf(key, route, utcOffset),
    box: profile,
    setPoint: profile.setPoint + own(3, -0.4, 0.4),
    humidity: profile.humidity + own(4, -4, 4),
    cycle: profile.cycleMinutes * MINUTE * own(5, 0.85, 1.2),
    cyclePhase: own(6, 0, 1),
    defrostPeriod,
    defrostPhase: Math.floor(own(7, 0, defrostPeriod)),
    defrostLength: Math.round(own(8, 10, 18) * MINUTE),
    anchorPeriod,
    anchorPhase: Math.floor(own(9, 0, anchorPeriod)),
    spinUp: (isStore ? 36 : 8) * HOUR,
    voltage: isStore ? own(10, 12.2, 13.1) : own(10, 25.0, 25.6),
    reportPhase: Math.floor(own(11, 0, scenario.reportSeconds * 1000)),
  }
}

function habitsOf(key: number, route: Route | undefined, utcOffset: number): Habits {
  const total = route?.hours.at(-1) ?? 0
  // some hundred metres of a yard; in a town without one, of its streets
  const spread = (end: string | undefined) => Math.min(end?.includes('/') ? 0.015 : 0.08, total * 0.12)
  const blockLength = blockLengthOf(route)
  const localMidnight = -utcOffset
  const long = route !== undefined && !isLocal(route)
  // long hauls set out at any hour, most at dusk or dawn; the rest follows the quarters of the day, not all at once
  const setOut = long ? departure(key) : within(key, PURPOSE.body, 21, -1, 1)
  const halves = Math.round(blockLength / (DAY / 2))
  return {
    key,
    route,
    home: within(key, PURPOSE.body, 22, 0, spread(route?.from)),
    away: total - within(key, PURPOSE.body, 23, 0, spread(route?.to)),
    pace: within(key, PURPOSE.body, 24, 0.89, 1.03),
    blockLength,
    blockOffset: Math.round(
      localMidnight + setOut * HOUR + (long ? (hash32(key, PURPOSE.body, 25) % halves) * (DAY / 2) : 0),
    ),
    utcOffset,
  }
}

/** Local hour at which a long haul's block begins. */
function departure(key: number): number {
  const kind = chance(key, PURPOSE.body, 26)
  if (kind < 0.4) return within(key, PURPOSE.body, 27, 3.5, 7.5)
  if (kind < 0.75) return within(key, PURPOSE.body, 27, 16.5, 21.5)
  return within(key, PURPOSE.body, 27, 0, 24)
}

/** The end of a route in a town: one of its yards, where it has any. */
function endOf(place: Place, key: number, counter: number): string {
  const yards = place.sites?.length ?? 0
  return yards === 0 ? place.id : yardOf(place, hash32(key, PURPOSE.body, counter) % yards)
}

/** At one of the town's industrial sites, or somewhere in town. */
function standing({ key, fleet }: WorldDevice, roads: RoadNetwork): [number, number] {
  const place = roads.place(fleet.home)
  const site = place.sites?.[hash32(key, PURPOSE.body, 30) % place.sites.length]
  const reach = site ? 1.4 : place.radiusKm * 0.7
  const km = reach * Math.sqrt(chance(key, PURPOSE.body, 31))
  const angle = within(key, PURPOSE.body, 32, 0, 2 * Math.PI)
  const [lat, lng] = site ?? [place.lat, place.lng]
  return [
    lat + (km * Math.cos(angle)) / 111.2,
    lng + (km * Math.sin(angle)) / (111.2 * Math.cos((lat * Math.PI) / 180)),
  ]
}
