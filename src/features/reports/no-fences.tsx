/** The geofence selector while there is nothing to select: it says so before Export does. */
export function NoFences({ about, message }: { about: string; message: string | undefined }) {
  return (
    <fieldset data-invalid={message === undefined ? undefined : true} className="group/field flex flex-col">
      <legend className="float-left w-full pb-1 font-medium text-dense text-ink-soft">Geofence</legend>
      <div className="clear-both rounded-small bg-sunken p-3 text-ink-soft outline outline-1 -outline-offset-1 outline-line group-data-invalid/field:outline-hot">
        <p className="font-medium text-ink">No geofences</p>
        <p className="text-dense">{about}</p>
      </div>
      <div role="alert" className="min-h-7 pt-1 text-dense text-hot">
        {message}
      </div>
    </fieldset>
  )
}
