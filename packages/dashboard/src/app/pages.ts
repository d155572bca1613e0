import {
  Activity,
  Boxes,
  CalendarClock,
  Cpu,
  Gauge,
  Hand,
  Layers,
  ListTodo,
  type LucideIcon,
  OctagonAlert,
  Rows3,
  Server,
} from 'lucide-react';

/** A page of the navigation, with the keys that open it. */
export interface PageLink {
  readonly to: (typeof PAGES)[number]['to'];
  readonly name: string;
  readonly icon: LucideIcon;
  /** Pressed after `g`. */
  readonly key: string;
  /** Whether it shows something to a key for some queues. The others are about all of them. */
  readonly isOfSome?: boolean;
}

export const PAGES = [
  { to: '/', name: 'Home', icon: Gauge, key: 'h', isOfSome: true },
  { to: '/queues', name: 'Queues', icon: Rows3, key: 'q', isOfSome: true },
  { to: '/tasks', name: 'Tasks', icon: ListTodo, key: 't', isOfSome: true },
  { to: '/failures', name: 'Failures', icon: OctagonAlert, key: 'f', isOfSome: true },
  { to: '/batches', name: 'Batches', icon: Boxes, key: 'b' },
  { to: '/operations', name: 'Operations', icon: Layers, key: 'o' },
  { to: '/activity', name: 'Activity', icon: Activity, key: 'a' },
  { to: '/triggers', name: 'Triggers', icon: CalendarClock, key: 'r' },
  { to: '/holds', name: 'Holds', icon: Hand, key: 'l' },
  { to: '/workers', name: 'Workers', icon: Cpu, key: 'w' },
  { to: '/system', name: 'System', icon: Server, key: 's' },
] as const;
