type NoFencesProps = {
  /** 'Geofence' where left out */
  label?: string
  about: string
  message: string | undefined
}

/** The selector of a fence while there is none to select: it says so before the form does. */
export function NoFences({ label = 'Geofence', about, message }: NoFencesProps) {
  return (
    <fieldset data-invalid={message === undefined ? undefined : true} className="group/field flex flex-col">
      <legend className="float-left w-full pb-1 font-medium text-dense text-ink-soft">{label}</legend>
      <div className="clear-both rounded-small bg-sunken p-3 text-ink-soft outline outline-1 -outline-offset-1 outline-line group-data-invalid/field:outline-error">
        <p className="font-medium text-ink">No geofences</p>
        <p className="text-dense">{about}</p>
      </div>
      <div role="alert" className="min-h-7 pt-1 text-dense text-error">
        {message}
      </div>
    </fieldset>
  )
}
