import {
  Activity,
  Compass,
  FileCheck,
  type LucideIcon,
  MapPin,
  Thermometer,
  Truck,
  Unplug,
  Users,
} from 'lucide-react'
import { Link } from 'wouter'
import { Page, Panel } from '../../layout/page.tsx'

const parts = [
  {
    Icon: MapPin,
    title: 'Live tracking',
    text: 'Where every vehicle and warehouse is, and how warm and humid its cargo, as it happens.',
  },
  {
    Icon: Compass,
    title: 'Geo-fencing',
    text: 'Near which town and on which road it is. Places that are drawn and watched are not there yet.',
  },
  {
    Icon: Activity,
    title: 'Driving behaviour',
    text: 'Over-speeding, trips and standing times, in reports. No device here measures braking or turns.',
  },
  {
    Icon: Truck,
    title: 'Maintenance information',
    text: 'Distance and driving time of each vehicle, in reports. When it is due is not kept.',
  },
]

const promises = [
  {
    Icon: Thermometer,
    title: 'What is wrong comes first',
    text: 'A cargo that is too hot, too cold, too humid or too dry is shown with where it is, by how much and since when. The worst stands first.',
  },
  {
    Icon: Unplug,
    title: 'Silence is not good news',
    text: 'A device that is not heard of is shown as offline, one that said it was unplugged as disconnected. Readings it kept meanwhile are filled in when they arrive, and what was published before is set right.',
  },
  {
    Icon: Users,
    title: 'Somebody has it',
    text: 'Each violation can be taken, acknowledged with a reason and commented on. Everybody sees who takes care of it.',
  },
  {
    Icon: FileCheck,
    title: 'It can be shown afterwards',
    text: 'Readings, violations and who changed what are kept, for charts and for reports.',
  },
]

/** What the product is: in the documents' words, then what it does for a cargo. */
export default function AboutUs() {
  return (
    <Page
      title="About Us"
      description="An end-to-end vehicle management solution with live tracking, geo-fencing, driving behaviour and maintenance information."
    >
      <Parts parts={parts} Heading="h2" />
      <section aria-labelledby="what-it-is" className="flex flex-col gap-4">
        <div className="max-w-160">
          <h2 id="what-it-is" className="font-semibold text-title">
            What Frostline is
          </h2>
          <p className="mt-1 text-ink-soft">
            Frostline watches cold chains. Trackers in vehicles and warehouses send where they are, how warm
            and how humid it is around the goods. Frostline holds each reading against the limits of its
            group, says at once what is out of them, and keeps the record.
          </p>
        </div>
        <Parts parts={promises} Heading="h3" />
        <p>
          <Link href="/help" className="text-link underline">
            Help
          </Link>{' '}
          has whom to ask.
        </p>
      </section>
    </Page>
  )
}

type Part = { Icon: LucideIcon; title: string; text: string }

function Parts({ parts, Heading }: { parts: readonly Part[]; Heading: 'h2' | 'h3' }) {
  return (
    <ul className="grid gap-4 tablet:grid-cols-2 wall:grid-cols-4">
      {parts.map(({ Icon, title, text }) => (
        <li key={title}>
          <Panel className="flex h-full gap-4 p-5">
            <Icon size={20} aria-hidden className="shrink-0 text-accent" />
            <div>
              <Heading className="font-semibold">{title}</Heading>
              <p className="mt-1 text-ink-soft">{text}</p>
            </div>
          </Panel>
        </li>
      ))}
    </ul>
  )
}
