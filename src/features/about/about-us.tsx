import { Activity, Compass, MapPin, Truck } from 'lucide-react'
import { Page, Panel } from '../../layout/page.tsx'

const parts = [
  {
    Icon: MapPin,
    title: 'Live tracking',
    text: 'Where every vehicle and warehouse is, and how warm and humid its cargo, as it happens.',
  },
  { Icon: Compass, title: 'Geo-fencing', text: 'Know when a vehicle enters a place or leaves it.' },
  {
    Icon: Activity,
    title: 'Driving behaviour',
    text: 'Harsh braking, harsh acceleration, sharp turns and over-speeding.',
  },
  { Icon: Truck, title: 'Maintenance information', text: 'What each vehicle needs, and when.' },
]

/** What the product is. */
export default function AboutUs() {
  return (
    <Page
      title="About Us"
      description="An end-to-end vehicle management solution with live tracking, geo-fencing, driving behaviour and maintenance information."
    >
      <ul className="grid gap-4 tablet:grid-cols-2 wall:grid-cols-4">
        {parts.map(({ Icon, title, text }) => (
          <li key={title}>
            <Panel className="flex h-full gap-4 p-5">
              <Icon size={20} aria-hidden className="shrink-0 text-accent" />
              <div>
                <h2 className="font-semibold">{title}</h2>
                <p className="mt-1 text-ink-soft">{text}</p>
              </div>
            </Panel>
          </li>
        ))}
      </ul>
    </Page>
  )
}
