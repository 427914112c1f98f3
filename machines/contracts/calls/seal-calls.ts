import { object, optional, size, string } from 'superstruct'
import { ConsistencyProof, HeadAddress, InclusionProof, Seal, SealHead, SealKeys } from '../entities/seals.ts'
import { Id } from '../scalars.ts'
import { CountText, calls } from './call.ts'

/** What shows that the record is what it was. Heads and proofs are hashes and numbers alone, so whoever got a head by mail may ask. */
export const SEAL_CALLS = calls({
  sealKeys: {
    method: 'GET',
    path: '/seals/keys',
    summary:
      'Public keys that the record is signed with, oldest first; also at /.well-known/frostline-seal-keys.json.',
    access: 'anyone',
    answer: SealKeys,
  },
  sealHead: {
    method: 'GET',
    path: '/seals/head',
    summary:
      'The newest signed head of the record; of `size` entries where given, if one of so many is kept.',
    access: 'anyone',
    query: object({ size: optional(CountText) }),
    answer: SealHead,
  },
  sealConsistency: {
    method: 'GET',
    path: '/seals/consistency',
    summary:
      'Shows that the record of today begins with what it was at `from` entries, as an earlier head names them. 409: the tree was begun anew since.',
    access: 'anyone',
    query: object({ from: CountText }),
    answer: ConsistencyProof,
  },
  sealInclusion: {
    method: 'GET',
    path: '/seals/inclusion/{seq}',
    summary: 'Shows that the entry of this number is in the record of the newest head.',
    access: 'session',
    params: object({ seq: CountText }),
    answer: InclusionProof,
  },
  headAddress: {
    method: 'GET',
    path: '/companies/{companyId}/headAddress',
    summary: 'Who outside keeps the daily heads of the record for a company, and whether they get them.',
    access: 'session',
    params: object({ companyId: Id }),
    answer: HeadAddress,
    versioned: true,
  },
  updateHeadAddress: {
    method: 'PUT',
    path: '/companies/{companyId}/headAddress',
    summary:
      "Choose an address that gets the daily head of the record, '' for none; for managers of the top group. One outside the company is first asked whether it wants it.",
    access: 'session',
    params: object({ companyId: Id }),
    body: object({ address: size(string(), 0, 254) }),
    answer: HeadAddress,
    versioned: true,
  },
  reportSeal: {
    method: 'GET',
    path: '/reports/{id}/seal',
    summary:
      'The seal of a report: shows offline that its files are what the server made. One stands for all of its files. 409 in the moment between a report and the signature after it.',
    access: 'session',
    params: object({ id: Id }),
    answer: Seal,
  },
})
