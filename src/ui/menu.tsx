import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  type MenuItemProps as AriaMenuItemProps,
  type MenuProps as AriaMenuProps,
  MenuSection as AriaMenuSection,
  Header,
  MenuTrigger,
  Separator,
} from 'react-aria-components/Menu'
import { Popover } from './popover.tsx'

export { MenuTrigger }

/** A list of things to do, below its trigger. Stands beside a Button in a MenuTrigger. */
export function Menu(props: Omit<AriaMenuProps<object>, 'className'>) {
  return (
    <Popover placement="bottom end" className="min-w-52">
      <MenuList {...props} />
    </Popover>
  )
}

/** The list itself: the inside of a PopUp that is a menu. */
export function MenuList(props: Omit<AriaMenuProps<object>, 'className'>) {
  return <AriaMenu {...props} className="overflow-auto p-1 outline-none" />
}

export type MenuItemProps = Omit<AriaMenuItemProps, 'className' | 'children'> & {
  icon?: ReactNode
  children: string
}

export function MenuItem({ icon, children, ...props }: MenuItemProps) {
  return (
    <AriaMenuItem
      {...props}
      textValue={children}
      className="flex h-control items-center gap-3 rounded-small px-3 text-body outline-none data-focused:bg-hover data-focus-visible:outline-2 data-focus-visible:-outline-offset-2 data-focus-visible:outline-focus data-selected:text-accent"
    >
      {({ isSelected }) => (
        <>
          <span className="text-ink-faint">{icon}</span>
          <span className="flex-1">{children}</span>
          {isSelected && <Check size={16} aria-hidden />}
        </>
      )}
    </AriaMenuItem>
  )
}

/** A named part of a menu; `selectionMode` and `selectedKeys` make it a choice. */
export function MenuSection({
  title,
  children,
  ...props
}: { title: string; children: ReactNode } & Pick<
  React.ComponentProps<typeof AriaMenuSection>,
  'selectionMode' | 'selectedKeys' | 'onSelectionChange'
>) {
  return (
    <AriaMenuSection {...props}>
      <Header className="px-3 pt-2 pb-1 font-medium text-dense text-ink-faint">{title}</Header>
      {children}
    </AriaMenuSection>
  )
}

export function MenuSeparator() {
  return <Separator className="mx-3 my-1 h-px bg-line" />
}
