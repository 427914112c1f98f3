import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { zxyToTileId } from 'pmtiles'

/** One vector tile, not yet compressed. */
export type Tile = { z: number; x: number; y: number; data: Uint8Array }

/** What the archive's header says about it; degrees. */
export type ArchiveInfo = {
  minZoom: number
  maxZoom: number
  bounds: [west: number, south: number, east: number, north: number]
  center: [lon: number, lat: number, zoom: number]
  metadata: Record<string, unknown>
}

type Entry = { id: number; runLength: number; offset: number; length: number }

const HEADER_BYTES = 127
const ROOT_LIMIT = 16384 - HEADER_BYTES // Readers fetch the first 16 kB at once, so header and root must fit there.
const LEAF_ENTRIES = 4096
const GZIP = 2
const MVT = 1

/** Packs tiles as a clustered PMTiles v3 archive; equal tiles (open land, mostly) are stored once. */
export function packArchive(tiles: readonly Tile[], info: ArchiveInfo): Uint8Array {
  const { entries, data, contents } = layOut(tiles)
  const metadata = gzip(new TextEncoder().encode(JSON.stringify(info.metadata)))
  const { root, leaves } = directories(entries)

  const rootAt = HEADER_BYTES
  const metadataAt = rootAt + root.length
  const leavesAt = metadataAt + metadata.length
  const dataAt = leavesAt + leaves.length
  const archive = new Uint8Array(dataAt + data.length)
  archive.set(new TextEncoder().encode('PMTiles'), 0)
  const view = new DataView(archive.buffer)
  view.setUint8(7, 3)
  const sections = [
    rootAt,
    root.length,
    metadataAt,
    metadata.length,
    leavesAt,
    leaves.length,
    dataAt,
    data.length,
  ]
  const counts = [tiles.length, entries.length, contents]
  for (const [i, value] of [...sections, ...counts].entries())
    view.setBigUint64(8 + i * 8, BigInt(value), true)
  const clustered = 1
  for (const [i, byte] of [clustered, GZIP, GZIP, MVT, info.minZoom, info.maxZoom].entries())
    view.setUint8(96 + i, byte)
  for (const [i, degrees] of info.bounds.entries())
    view.setInt32(102 + i * 4, Math.round(degrees * 1e7), true)
  view.setUint8(118, info.center[2])
  view.setInt32(119, Math.round(info.center[0] * 1e7), true)
  view.setInt32(123, Math.round(info.center[1] * 1e7), true)
  archive.set(root, rootAt)
  archive.set(metadata, metadataAt)
  archive.set(leaves, leavesAt)
  archive.set(data, dataAt)
  return archive
}

function layOut(tiles: readonly Tile[]): { entries: Entry[]; data: Uint8Array; contents: number } {
  const sorted = tiles
    .map((tile) => ({ id: zxyToTileId(tile.z, tile.x, tile.y), tile }))
    .sort((a, b) => a.id - b.id)
  const stored = new Map<string, { offset: number; length: number }>()
  const blobs: Uint8Array[] = []
  const entries: Entry[] = []
  let offset = 0
  for (const { id, tile } of sorted) {
    const hash = createHash('sha1').update(tile.data).digest('base64')
    let place = stored.get(hash)
    if (!place) {
      const blob = gzip(tile.data)
      blobs.push(blob)
      place = { offset, length: blob.length }
      stored.set(hash, place)
      offset += blob.length
    }
    const last = entries.at(-1)
    if (last && last.offset === place.offset && last.id + last.runLength === id) last.runLength++
    else entries.push({ id, runLength: 1, ...place })
  }
  return { entries, data: concat(blobs), contents: blobs.length }
}

function directories(entries: Entry[]): { root: Uint8Array; leaves: Uint8Array } {
  const whole = directory(entries)
  if (whole.length <= ROOT_LIMIT) return { root: whole, leaves: new Uint8Array() }
  const leaves: Uint8Array[] = []
  const pointers: Entry[] = []
  let offset = 0
  for (let i = 0; i < entries.length; i += LEAF_ENTRIES) {
    const leaf = directory(entries.slice(i, i + LEAF_ENTRIES))
    pointers.push({ id: entries[i]!.id, runLength: 0, offset, length: leaf.length })
    leaves.push(leaf)
    offset += leaf.length
  }
  return { root: directory(pointers), leaves: concat(leaves) }
}

/** A directory is four columns of varints: id steps, run lengths, lengths, and offsets (0 where they follow on). */
function directory(entries: Entry[]): Uint8Array {
  const bytes: number[] = []
  varint(bytes, entries.length)
  for (const [i, entry] of entries.entries()) varint(bytes, entry.id - (entries[i - 1]?.id ?? 0))
  for (const entry of entries) varint(bytes, entry.runLength)
  for (const entry of entries) varint(bytes, entry.length)
  for (const [i, entry] of entries.entries()) {
    const before = entries[i - 1]
    const follows = before !== undefined && entry.offset === before.offset + before.length
    varint(bytes, follows ? 0 : entry.offset + 1)
  }
  return gzip(Uint8Array.from(bytes))
}

function varint(bytes: number[], value: number): void {
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  bytes.push(rest)
}

function gzip(data: Uint8Array): Uint8Array {
  return gzipSync(data, { level: 9 })
}

function concat(parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
