async () => {
    const canvas = player.canvas, rooms = [...canvas.model.rooms.values()];
    const open = rooms.flatMap((room) => [room.id, ...room.families.map((each) => each.id)]);
    await canvas.arrange({ open, more: open, route: null });
}
