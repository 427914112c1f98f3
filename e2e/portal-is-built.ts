import { buildPortal, isPortalStale } from '../tools/build/portal-build.ts'

/** Once before all tests: what is tested is the portal as it stands on disk. */
export default async function portalIsBuilt(): Promise<void> {
  if (isPortalStale()) await buildPortal().done
}
