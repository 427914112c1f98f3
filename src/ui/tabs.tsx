import type { ReactNode } from 'react'
import type { Key } from 'react-aria-components/ListBox'
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs'

export type TabsProps = {
  'aria-label': string
  tabs: { id: string; title: string; content: ReactNode }[]
  selected?: string
  onSelect?: (id: string) => void
}

/** Several views of one thing, one at a time. Arrow keys walk them. */
export function Tabs({ tabs, selected, onSelect, ...props }: TabsProps) {
  return (
    <AriaTabs
      {...(selected === undefined ? {} : { selectedKey: selected })}
      onSelectionChange={(key: Key) => onSelect?.(String(key))}
    >
      <TabList aria-label={props['aria-label']} className="flex gap-1">
        {tabs.map((tab) => (
          <Tab
            key={tab.id}
            id={tab.id}
            className="flex h-control items-center rounded-small px-3 font-medium text-ink-soft data-hovered:text-ink data-selected:bg-accent-soft data-selected:text-accent-strong"
          >
            {tab.title}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className="pt-3 outline-offset-4">
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
