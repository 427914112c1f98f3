import { Gauge, type Registry } from 'prom-client'

/** Adds figures to a registry that are read when somebody asks for `/metrics`. */
export const gaugesOf =
  (registry: Registry) =>
  (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
