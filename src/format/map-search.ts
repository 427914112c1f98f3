/** The documents' maps search, built from the coordinates. */
export const mapSearchUrl = ({ lat, lng }: { lat: number; lng: number }): string =>
  `https://www.google.com/maps/search/?api=1&query=${lat},${lng}`
